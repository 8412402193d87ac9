# a hundred megabytes of source
⟦x = 'a line of source that is not short at all, and that is there a million times over and over';
⟧990000
