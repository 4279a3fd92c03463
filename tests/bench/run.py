"""All benchmarks, one after the other: `make bench`. Each can be run alone, too."""

<<<<<<< HEAD
from tests.bench import agreement, calibration, foundation, measures, studies
=======
from tests.bench import foundation, judges, measures
>>>>>>> key

if __name__ == "__main__":
    foundation.main()
    measures.main()
<<<<<<< HEAD
    agreement.main()
    studies.main()
    calibration.main()
=======
    judges.main()
>>>>>>> key
