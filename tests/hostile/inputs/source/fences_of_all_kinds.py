Here is the code:
~~~py
print(1)
~~~
````python
```repl
print(2)
```
⟦```⟧9000
```python print(3)```
