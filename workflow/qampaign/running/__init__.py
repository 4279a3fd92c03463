"""What surrounds the jobs: logs, records of what each was made from, locks, cluster resources."""
