# RUN: exec % --limit model-calls=2 --llm-command 'cat'
# What is over the budget raises, and can be caught.
seen = []
for n in range(4):
    try:
        seen.append(llm_query(f'q{n}'))
    except RuntimeError as error:
        seen.append(str(error)[:23])
seen
