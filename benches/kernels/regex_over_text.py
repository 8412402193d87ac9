import re
text = 'INFO 10.0.0.1 ok; WARN 10.0.0.22 slow 123ms; ERROR 192.168.1.77 failed\n' * 1_000
len(re.findall('[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+', text)) + len(re.findall('WARN|ERROR', text))
