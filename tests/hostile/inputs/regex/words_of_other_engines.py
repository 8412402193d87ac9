# Calls of groups, recursion, verbs, conditions, resets and whatever other engines know
import re
text = '((a)' * 300 + 'aab' * 300
for pattern in (
    r'\((?:[^()]|(?R))*\)', r'(?<a>\(\g<a>*\))', r'(\((?1)*\))', r'(?<x>a|\g<x>b)', r'(?<x>\g<x>)', r'(a)\g<1>', r'(a)\g<0>', r'\g<0>', r'(?&x)', r'(?P>x)', r'(?<x>a)(?(<x>)b|c)', r'(a)?(?(1)b|c)+$', r'(?(1)a|b)(x)',
    r'(?(?=a)a|b)*', r'(?(DEFINE)(?<q>a+))\g<q>*b', r'(?>a+)+b', r'(?>(a+)+)b', r'a++b', r'(?:a*+)*+b', r'\Ga\Ga', r'(?:\G|a)*b', r'a\Kb', r'(a\K)*b', r'(?=a\K)', r'(*FAIL)', r'(*SKIP)(*F)|.', r'(?|(a)|(b))\1', r'\R+\h*\X+',
    r'(?~ab)', r'(?<-x>a)', r'\Qa(\E', r'(?C1)a', r'\k<1>(a)', r"\k'x'(?'x'a)", r'(a)\k<-1>', r'(a)\k<1+0>', r'\A\z\Z', r'\<a\>', r'\b{start}a', r'(?<n>a)(?<n>b)', r'(?i-s:a.)+', r'\O\N\H\V', r'[[:<:]]a', r'\p{^L}+', r'(?1)(?2)()',
):
    for way in (re.findall, re.match):
        try:
            print(str(way(pattern, text))[:50])
        except Exception as e:
            print(type(e).__name__, str(e)[:60])
