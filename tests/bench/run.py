"""All benchmarks, one after the other: `make bench`. Each can be run alone, too."""

from tests.bench import agreement, calibration, foundation, judges, measures, studies

if __name__ == "__main__":
    foundation.main()
    measures.main()
    judges.main()
    agreement.main()
    studies.main()
    calibration.main()
