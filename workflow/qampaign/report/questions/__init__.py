"""The pages of a collection's questions: what every run answered, and what the judges say."""
