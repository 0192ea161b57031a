/**
 * What Node is told that runs a host. By default V8 lets a host that was busy once keep 300 MB of which 20 are in use: its
 * young generation grows to 128 MB, the old one to four times what is in use, and what compiles beside the program keeps
 * its memory. So it stays below 150 MB, for about a tenth more processor time a call.
 */
export const hostNodeFlags: readonly string[] = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--no-concurrent-recompilation',
]

/**
 * Lets this program start anew with those flags, as the same process: its id, terminal and output stay. Does nothing where
 * it has them, or where a process cannot do that.
 */
export function runWithHostFlags(): void {
  const missing = hostNodeFlags.filter((flag) => !process.execArgv.includes(flag))
  // a channel to the process that started this one would be lost
  if (missing.length === 0 || process.execve === undefined || process.channel !== undefined) return
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)])
}
