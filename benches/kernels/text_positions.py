text = 'INFO 10.0.0.1 schneller; ERROR 192.168.1.77 größer\n' * 10_000
found = at = 0
while (at := text.find('ERROR', at)) >= 0:
    if text[at + 17] != '7' or text.startswith('WARN', at):
        break
    found += len(text[at:at + 20])
    at += 1
found
