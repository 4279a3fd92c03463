"""What a paper about the campaign needs: tables, figures, the methods in words, and references."""
