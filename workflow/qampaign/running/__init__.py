"""What surrounds the jobs: logs, records of what results are made from, locks, resources."""
