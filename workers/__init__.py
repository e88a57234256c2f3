"""Door: the Celery application and its thin, named tasks."""
