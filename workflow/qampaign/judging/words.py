LANGUAGES = ("en",)
