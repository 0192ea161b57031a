// loaded before a server: tells the harness how much heap is in use once all garbage is gone
process.on('message', () => {
  collectGarbage()
  setImmediate(() => {
    collectGarbage()
    process.send?.(process.memoryUsage().heapUsed)
  })
})
process.channel?.unref()

function collectGarbage(): void {
  globalThis.gc?.()
}
