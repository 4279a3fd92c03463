"""All benchmarks, one after the other: `make bench`. Each can be run alone, too."""

from tests.bench import calibration, foundation, measures, studies

if __name__ == "__main__":
    foundation.main()
    measures.main()
    studies.main()
    calibration.main()
