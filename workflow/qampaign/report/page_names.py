"""The names of the report's pages, by which they link to each other."""


def questions_page(collection: str, page: int = 0) -> str:
    """The page of a collection's questions, or a further one.

    An id has no dot, so no page of another collection has the name.

    >>> questions_page("clef-2"), questions_page("clef", 1)
    ('questions-clef-2.html', 'questions-clef.2.html')
    """
    return f"questions-{collection}{f'.{page + 1}' if page else ''}.html"
