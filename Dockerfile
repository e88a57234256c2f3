# One image for every process; compose chooses the command. Debian, not Alpine: the wheels need glibc.
FROM python:3.11-slim AS wheels
WORKDIR /src
RUN python -m venv /opt/pbem
COPY requirements-hosting.lock ./
RUN /opt/pbem/bin/pip install --no-cache-dir --require-hashes -r requirements-hosting.lock
COPY pyproject.toml README.md LICENSE LICENSE-DATA.md ./
COPY templates templates
COPY workers workers
COPY pbem pbem
RUN /opt/pbem/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 990 --create-home --home-dir /var/lib/pbem pbem
COPY --from=wheels /opt/pbem /opt/pbem
ENV PATH=/opt/pbem/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PBEM_DATA_DIR=/var/lib/pbem \
    PBEM_SMTP_LISTEN=0.0.0.0:2525 \
    PBEM_HTTP_LISTEN=0.0.0.0:8000
USER pbem
WORKDIR /var/lib/pbem
EXPOSE 2525 8000
# The web process answers for itself; compose has a check of its own for each other process.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["pbem"]
CMD ["serve"]
