# ends of statements, and statements that are nothing, until one is wrong
⟦pass;⟧3000
⟦...;1;"";()⟧1
⟦...;1;"";x=();⟧2000
x = 1; x;
if x: ⟦x;⟧1000 x = 2
⟦#;⟧1000
exec('x' + ';' * 90000)
