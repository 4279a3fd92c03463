"""All benchmarks, one after the other: `make bench`. Each can be run alone, too."""

from tests.bench import foundation, judges, measures

if __name__ == "__main__":
    foundation.main()
    measures.main()
    judges.main()
