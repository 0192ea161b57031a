// loaded before a server: lets it leave in order when it is told to, so that the profiler writes its file
process.on('SIGTERM', () => process.exit(0))
