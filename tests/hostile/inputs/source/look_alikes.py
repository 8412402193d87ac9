# names that look like others, or become them when they are read
ｅｘｅｃ('ａ = 1'); ｐｒｉｎｔ(ａ, ｅｖａｌ('𝐚'))
рrint = len; ℓen = print; ﬁnd = 1; find = 2
ａｎｓｗｅｒ['ready'] = ﬁnd
ｒｅｓｕｌｔ = ｌｌｍ_ｑｕｅｒｙ('x')
ｒｅｔｕｒｎ_ｖａｌｕｅ = ｍａｐ(ｌａｔｅｒ, [1])
for ｉ in sorted([3, 1], key=ｅｃｈｏ): print(i)
ＦＩＮＡＬ(𝐟𝐢𝐧𝐝)
