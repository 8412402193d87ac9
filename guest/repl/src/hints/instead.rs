//! Replacements for modules that are not there, and for members that ours lack.

/// Modules that models reach for; names with the same hint stand together.
pub(super) const PACKAGES: [(&str, &str); 48] = [
    (
        "html",
        "html.escape() and html.unescape() are there; take tags out with re",
    ),
    (
        "numpy scipy torch",
        "use plain lists with math, statistics and sum()",
    ),
    (
        "pandas polars",
        "use csv with io.StringIO, and lists of dicts",
    ),
    (
        "openpyxl",
        "work with the context; csv with io.StringIO reads tables",
    ),
    (
        "requests httpx aiohttp socket http urllib urllib.request urllib.error smtplib",
        "there is no network; work with the context and the tools that you have",
    ),
    (
        "openai anthropic",
        "call llm_query(prompt) or the other functions that you have",
    ),
    (
        "abc",
        "leave abstract classes out: any object with the methods will do",
    ),
    (
        "multiprocessing joblib",
        "use concurrent.futures, or llm_query_batched(prompts)",
    ),
    (
        "subprocess",
        "no programs can be started; write it in Python",
    ),
    (
        "signal",
        "leave it out; one script runs at a time, with its own time limit",
    ),
    (
        "gc atexit tracemalloc platform getpass psutil resource",
        "leave it out",
    ),
    ("locale", "leave it out; format numbers with f'{n:,}'"),
    ("tqdm", "leave it out; print the progress now and then"),
    ("rich colorama", "leave it out; print plain text"),
    (
        "tabulate prettytable",
        "pad the columns with f'{cell:<{width}}' and print them",
    ),
    (
        "os.path",
        "there are no files; split names as text, as in path.rsplit('/', 1)[-1] or name.rpartition('.')",
    ),
    (
        "os",
        "there are no files and no environment; work with the context, and split paths as text, as in path.rsplit('/', 1)[-1]",
    ),
    (
        "pathlib",
        "there are no files; work with the context, and split paths as text, as in path.rsplit('/', 1)[-1]",
    ),
    (
        "glob",
        "there are no files; work with the context, and match names with fnmatch",
    ),
    (
        "shutil zipfile",
        "there are no files; work with the context",
    ),
    (
        "tempfile",
        "there are no files; keep texts in variables, or use io.StringIO",
    ),
    (
        "sqlite3",
        "use dicts and lists, with collections for groups and counts",
    ),
    (
        "pickle shelve",
        "variables are kept between scripts; use json for texts",
    ),
    (
        "argparse",
        "assign the values to variables; there is no command line",
    ),
    (
        "gzip bz2 lzma",
        "nothing can be compressed here; work with the plain text",
    ),
    ("yaml", "read the lines with split(':', 1), or use json"),
    ("toml tomli", "use tomllib.loads()"),
    ("configparser", "read the lines with split('=', 1)"),
    ("xml lxml", "take the tags apart with re.findall()"),
    (
        "bs4",
        "take the tags apart with re.findall(), and the texts with html.unescape()",
    ),
    ("regex", "use re"),
    (
        "dateutil",
        "use datetime.strptime() or datetime.fromisoformat()",
    ),
    (
        "pytz zoneinfo",
        "use datetime.timezone(datetime.timedelta(hours=h))",
    ),
    (
        "nltk spacy",
        "use re.findall(r'\\w+', text) for words and re.split() for sentences",
    ),
    ("tiktoken", "count tokens as len(text) // 4"),
    (
        "transformers",
        "count tokens as len(text) // 4, and ask llm_query(prompt) for the rest",
    ),
    (
        "sklearn",
        "count words with collections.Counter and compare the counts with math.sqrt()",
    ),
    (
        "networkx",
        "keep the graph in a dict of lists; graphlib sorts it",
    ),
    (
        "matplotlib seaborn",
        "nothing can be drawn here; print the numbers",
    ),
    (
        "thefuzz fuzzywuzzy rapidfuzz Levenshtein",
        "use difflib.SequenceMatcher or difflib.get_close_matches()",
    ),
    ("pydantic", "use dataclasses or plain dicts"),
    ("attr attrs", "use dataclasses"),
    ("array", "use a plain list"),
    ("weakref", "keep the object itself"),
    ("contextvars", "keep the value in a dict"),
    ("importlib", "use an import statement"),
    ("unittest doctest pytest", "use assert"),
    (
        "tenacity",
        "write the retries as a for loop with try and except",
    ),
];

/// Members of modules that models reach for.
pub(super) const MEMBERS: [(&str, &str); 22] = [
    (
        "sys.stdin",
        "there is no keyboard here; work with the context",
    ),
    (
        "asyncio.create_task asyncio.ensure_future asyncio.TaskGroup asyncio.wait",
        "give the coroutines to asyncio.gather(*[f(x) for x in xs])",
    ),
    (
        "asyncio.as_completed",
        "give the coroutines to asyncio.gather(*[f(x) for x in xs]) and go through the results",
    ),
    (
        "asyncio.Semaphore",
        "leave it out; asyncio.gather() of a slice of the coroutines runs so many at a time",
    ),
    ("asyncio.Lock", "leave it out; one task runs at a time"),
    (
        "asyncio.wait_for asyncio.timeout",
        "await the coroutine itself, without a timeout",
    ),
    (
        "asyncio.Queue",
        "use a list or a deque, and asyncio.gather()",
    ),
    (
        "asyncio.to_thread",
        "use concurrent.futures, or call the function itself",
    ),
    (
        "asyncio.get_event_loop asyncio.new_event_loop asyncio.get_running_loop",
        "use asyncio.run(main())",
    ),
    (
        "inspect.signature",
        "write down what you need to know of a function, as in a dict of its parameters",
    ),
    ("inspect.getsource", "keep the source in a text of your own"),
    (
        "typing.get_type_hints",
        "keep what you want to know of annotations in a dict of your own",
    ),
    (
        "functools.singledispatchmethod",
        "test with isinstance() in one method",
    ),
    ("functools.partialmethod", "write the method out"),
    (
        "collections.UserDict",
        "keep a dict in an attribute and write the methods that you need",
    ),
    (
        "collections.UserList",
        "keep a list in an attribute and write the methods that you need",
    ),
    (
        "collections.UserString",
        "keep a text in an attribute and write the methods that you need",
    ),
    (
        "zlib.compress",
        "nothing can be compressed here; work with the plain text",
    ),
    (
        "zlib.decompress",
        "nothing can be decompressed here; work with the plain text",
    ),
    (
        "ast.parse",
        "only ast.literal_eval() is there; look at the text with re",
    ),
    ("string.Formatter", "use str.format() or string.Template"),
    (
        "coroutine.result coroutine.done coroutine.cancel coroutine.exception",
        "take the results from what asyncio.gather() gives",
    ),
];
