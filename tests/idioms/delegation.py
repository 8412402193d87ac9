# %% an iterator that closes the generator, 1
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        raise StopIteration
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from It()
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that closes the generator, 2
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        return 5
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from It()
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that closes the generator, 3
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        raise ValueError('x')
def gen():
    a=[1,2,3]; b='bbb'
    try:
        x=yield from It()
    except ValueError as e: print('caught',a,b,e)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that closes the generator, 4
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        if s.n>4: raise StopIteration
        try: print('inner', next(g))
        except Exception as e: print('send',type(e),e)
        return s.n
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from It()
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that closes the generator, 5
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: print('inner', g.throw(ValueError('t')))
        except Exception as e: print('throw',type(e),e)
        raise StopIteration
def gen():
    a=[1,2,3]; b='bbb'
    try:
        x=yield from It()
    except ValueError as e: print('caught',a,b,e)
    print('after')
    yield a
    print('again')
    yield b
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that others hold closes the generator, 1
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        raise StopIteration
it=It()
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from it
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that others hold closes the generator, 2
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        return 5
it=It()
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from it
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that others hold closes the generator, 3
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.close()
        except Exception as e: print('close',type(e),e)
        raise ValueError('x')
it=It()
def gen():
    a=[1,2,3]; b='bbb'
    try:
        x=yield from it
    except ValueError as e: print('caught',a,b,e)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that others hold closes the generator, 4
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        if s.n>4: raise StopIteration
        try: print('inner', next(g))
        except Exception as e: print('send',type(e),e)
        return s.n
it=It()
def gen():
    a=[1,2,3]; b='bbb'
    x=yield from it
    print('after',a,b,x)
    yield a
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% an iterator that others hold closes the generator, 5
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: print('inner', g.throw(ValueError('t')))
        except Exception as e: print('throw',type(e),e)
        raise StopIteration
it=It()
def gen():
    a=[1,2,3]; b='bbb'
    try:
        x=yield from it
    except ValueError as e: print('caught',a,b,e)
    print('after')
    y=yield a
    print('again',a,b,y)
    yield b
g=gen()
print(next(g))
try:
    print(next(g))
    print(next(g))
    print(next(g))
    print(next(g))
except BaseException as e: print(type(e),e)
# %% methods of a generator that builtins call, 1
def inner():
    yield 1
    yield 2
    yield 3
def outer():
    x = yield from inner()
    yield 99
h=outer()
print(next(h))
try: print(list(map(h.send,[None,None])))
except Exception as e: print("e1",type(e).__name__,str(e)[:60])
print('x')
print(next(h))
# %% methods of a generator that builtins call, 2
def inner():
    yield 1
def outer():
    x = yield from inner()
    yield 99
h=outer()
print(next(h))
try: print(list(map(h.send,[None])))
except Exception as e: print("e1",type(e).__name__,str(e)[:60])
print('x')
# %% methods of a generator that builtins call, 3
def inner():
    yield 1
def outer():
    x = yield from inner()
    yield 99
h=outer()
print(next(h))
r=sorted([3,1,2],key=lambda v:next(h,v))
print(r)
# %% methods of a generator that builtins call, 4
def inner():
    yield 1
def outer():
    x = yield from inner()
    yield 99
    yield 100
h=outer()
print(next(h))
r=[h.__next__, 5]
v=list(map(r[0].__call__ if 0 else h.throw,[]))
print(v)
print([10,20,*iter(h.__next__,100),30])
# %% methods of a generator that builtins call, 5
def inner():
    try:
        yield 1
    except ValueError: pass
def outer():
    x = yield from inner()
    yield 99
    yield 100
h=outer()
print(next(h))
print([10,20,*map(h.throw,[ValueError('q')]),30])
print(next(h))
# %% methods of a generator that builtins call, 6
def inner():
    try:
        yield 1
    except ValueError: pass
def outer():
    x = yield from inner()
    yield 99
    yield 100
h=outer()
print(next(h))
class C:
    __next__=None
    def __init__(s): s.c=h.close
def f(v): return v
print(list(map(f,[h.close()])))
h=outer(); next(h)
class D:
    p=property(lambda s: h.send(None))
print([D().p,D().p])
h=outer(); next(h)
class D:
    p=property(h.send)
try: print([D().p])
except Exception as e: print(e)
# %% a generator as the key of a builtin, 1
def inner():
    v = yield 0
    while True: v = yield v
def outer():
    yield from inner()
h=outer()
next(h)
print(max([10,20,30], key=h.send))
# %% a generator as the key of a builtin, 2
def inner():
    v = yield 0
def outer():
    yield from inner()
    yield 'secret of outer'
h=outer()
next(h)
r = max([10,20,30], key=h.send)
print(r)
# %% a generator as the key of a builtin, 3
def inner():
    v = yield 0
def outer():
    yield from inner()
    yield [1,2,3]
h=outer()
next(h)
def f(a,b):
    z='z'
    try:
        r = sorted([[10]], key=h.send)
        print('r',r)
    except BaseException as e: print(type(e),e)
    return (a,b,z)
print(f(1,2))
# %% delegation three deep, 1
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
for x in c(): print(x)
# %% delegation three deep, 2
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
print(list(c()))
# %% delegation three deep, 3
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    for x in c():
        yield ('d',x)
print(list(d()))
# %% delegation three deep, 4
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    g=c()
    while True:
        v=next(g,None)
        if v is None: return
        yield [v]
for x in d(): print(x)
# %% delegation three deep, 5
def flat(x):
    if isinstance(x,list):
        for y in x: yield from flat(y)
    else:
        yield x
print(list(flat([1,[2,[3,[4,[5]]]]])))
def flat2(x):
    for y in x:
        if isinstance(y,list): yield from flat2(y)
    yield from [y for y in x if not isinstance(y,list)]
print(list(flat2([1,2,[3,4,[5,6,[7,8]]]])))
# %% delegation three deep, in another generator, 1
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    for x in c():
        yield ('d',x)
for v in d(): print(v)
# %% delegation three deep, in another generator, 2
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    for x in c():
        yield ('d',x)
g=d()
print(next(g)); print(next(g)); print(next(g))
# %% delegation three deep, in another generator, 3
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    out=[]
    g=c()
    out.append(next(g))
    out.append(next(g))
    yield out
    yield 'more'
g=d()
for i in range(3):
    print(next(g,'end'))
# %% delegation three deep, in another generator, 4
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    g=c()
    p=next(g)
    q=g.send(None)
    yield ('pair',p,q)
    yield 'more'
for v in d(): print(v)
# %% delegation three deep, in another generator, 5
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    g=c()
    p=g.__next__()
    yield ('first',p)
    p=g.__next__()
    yield ('second',p)
    p=g.__next__()
    yield ('third',p)
for v in d(): print(v)
# %% delegation three deep, in another generator, 6
def a(): yield from (7,8,9)
def b(): yield from a()
def c(): yield from b()
def d():
    total=0
    g=c()
    for i in range(3):
        total += next(g)
    yield total
print([*d()])
print(sum(d()))
# %% a delegate that a builtin advances, too, 1
def g1(n):
    a='A'; b='B'
    t=[a,(yield from G),b]
    print(t)
def g2(n):
    yield 2
G=g2(0)
print(list(zip(G,g1(3))))
G=g2(0)
print(list(g1(3)))
G=g2(0)
print(list(zip(G,G)))
G=g2(0)
def f(): 
    return list(zip(G,g1(3)))
try: f()
except Exception as e: print(e)
print(1)
# %% throwing with a delegate that a builtin advanced, 1
def g1():
    a='A'; b='B'
    try:
        t=[a,(yield from G),b]
        print(t)
    except BaseException as e: print('in g1',type(e),e)
def g2():
    yield 2
def g0():
    try: print(list(G2)[:5])
    except Exception as e: print('op',e)
    yield 7
G2=g2()
G=g2()
h=g1()
print(2 in h)
try: h.throw(KeyError(1))
except Exception as e: print(repr(e))
# %% a delegate that others exhaust, 1
def inner():
    yield 1
    yield 2
def outer():
    a = 'A'
    b = 'B'
    t = [a, (yield from I), b]
    print('t is', t)
    yield t
I = inner()
o = outer()
next(o)
for _ in I: pass
try:
    print(o.throw(KeyError(1)))
except KeyError as e:
    print('KeyError', e)
except BaseException as e:
    print('other', type(e), e)
# %% closing with a delegate that others exhaust, 1
def inner():
    x=1
    x=2
    x=3
    yield 1
    x=4
    y=5
    yield 2
def outer():
    try:
        a = 'A'
        b = 'B'
        t = [a, (yield from I), b]
        print('t is', t)
        yield t
    finally:
        print('cleanup')
I = inner()
o = outer()
next(o)
for _ in I: pass
o.close()
print('closed')
def work():
    o=outer()
    next(o)
    for _ in I: pass
I = inner()
work()
print('done')
# %% the result of an iterator, 1
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n<3: return s.n
        raise StopIteration(42)
def g():
    x = yield from It()
    print('result',x)
print(list(g()))
# %% the result of an iterator, 2
class It:
    def __iter__(s): return s
    def __next__(s): raise StopIteration('v')
def g():
    x = yield from It()
    print('result',x)
    yield
print(list(g()))
# %% a generator that gives itself, 1
def gen():
    yield 1
    yield g
    yield 2
g=gen()
print(len(list(g)))
g=gen()
print(len([*g]))
g=gen()
print(len([x for x in g]))
g=gen()
print(len(tuple(x for x in g)))
g=gen(); print(len(list(zip(g,g))))
# %% a generator that gives itself, 2
def gen():
    try:
        yield 1
    finally:
        yield 'in finally'
for x in gen():
    print(x); break
print('end')
def w():
    g=gen(); next(g)
w()
print('end2')
# %% a generator that gives itself, 3
def a(n):
    if n: 
        yield from a(n-1)
    yield n
print(sum(a(200)))
def b(n):
    if n:
        for x in b(n-1): yield x
    yield n
print(sum(b(200)))
print(max(a(60)), sorted(a(60))[:3], [*a(60)][-1], dict(enumerate(a(5))))
# %% a generator that gives itself, 4
def pre(t):
    if t is None: return
    yield t[0]
    yield from pre(t[1])
    yield from pre(t[2])
T=(1,(2,(4,None,None),(5,None,None)),(3,None,(6,(7,None,None),None)))
print(list(pre(T)))
for x in pre(T): print(x,end=' ')
# %% a generator that gives itself, 5
def files(tree,prefix=''):
    yield from [prefix+f for f in tree.get('files',[])]
    for name,sub in tree.get('dirs',{}).items():
        yield from files(sub,prefix+name+'/')
T={'files':['a','b'],'dirs':{'x':{'files':['c','d'],'dirs':{'y':{'files':['e','f'],'dirs':{'z':{'files':['g','h']}}}}}}}
out=[]
try:
    for f in files(T): out.append(f)
except Exception as e: print(type(e),e)
print(out)
# %% a generator that gives itself, 6
def files(tree,prefix=''):
    yield from [prefix+f for f in tree.get('files',[])]
    for name,sub in tree.get('dirs',{}).items():
        yield from files(sub,prefix+name+'/')
T={'files':['a','b'],'dirs':{'x':{'files':['c','d'],'dirs':{'y':{'files':['e','f'],'dirs':{'z':{'files':['g','h']}}}}}}}
def lines():
    for f in files(T):
        yield f'{f}: 1'
out=[]
try:
    for l in lines(): out.append(l)
except Exception as e: print(type(e),e)
print(out)
# %% a generator that gives itself, 7
def files(tree,prefix=''):
    yield from [prefix+f for f in tree.get('files',[])]
    for name,sub in tree.get('dirs',{}).items():
        yield from files(sub,prefix+name+'/')
T={'files':['a','b'],'dirs':{'x':{'files':['c','d'],'dirs':{'y':{'files':['e','f','g']}}}}}
def batches():
    src=files(T)
    batch=[]
    while True:
        try: batch.append(src.__next__())
        except StopIteration: break
        if len(batch)==2:
            yield batch
            batch=[]
    if batch: yield batch
for b in batches(): print(b)
# %% an exception behind a delegate that ended, 1
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        g.close()
        raise StopIteration
it=It()
def boom(): raise KeyError('out')
def gen():
    global L
    L=[11,12,13,14,15,(yield from it)]
    (91,92,93,94,95,96,97,98,99,boom())
g=gen()
print(next(g))
def victim(secret):
    a='local a'; b='local b'
    try:
        x=[1,2,3,next(g)]
    except KeyError as e: print('caught',e)
    print(secret,a,b)
victim('S3CR3T')
print(L)
# %% throwing into a generator whose iterator is asked, 1
class It:
    n=0
    def __iter__(s): return s
    def __next__(s):
        s.n+=1
        if s.n==1: return 1
        try: g.throw(ValueError('t'))
        except Exception as e: print('throw',type(e),e)
        raise StopIteration
it=It()
def gen():
    y=None
    z='the value of z'
    try:
        yield from it
    except ValueError as e: pass
    y=yield 2
    print([10,20,z])
    yield 3
g=gen()
print(next(g))
print(next(g))
