# RUN: exec % --tool 'broken=exit 3' --tool 'echo(x)=cat'
# A call that fails is caught and another one made.
seen = []
for name in ('broken', 'echo', 'broken'):
    try:
        seen.append({'broken': broken, 'echo': echo}[name](x=1) if name == 'echo' else broken())
    except RuntimeError as error:
        seen.append(type(error).__name__)
seen
