"""The JSON API: read only, the same views as the pages."""
