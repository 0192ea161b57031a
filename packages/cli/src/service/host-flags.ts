/**
 * What Node is told that runs a host. By default V8 lets a host that was busy once keep 300 MB of which 20 are in use: its
 * young generation grows to 128 MB, the old one to four times what is in use, and what compiles beside the program keeps
 * its memory. So it stays below 150 MB, and a call costs the same.
 */
export const hostNodeFlags: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  '--no-concurrent-recompilation',
]

/**
 * Lets this program start anew with those flags, as the same process: its id, terminal and output stay. Does nothing where
 * it has them, or where a process cannot do that. What the user told Node stays as they said it.
 */
export function runWithHostFlags(): void {
  const given = new Set(process.execArgv.map(nameOf))
  const missing = hostNodeFlags.filter((flag) => !given.has(nameOf(flag)))
  if (missing.length === 0 || !canStartAnew()) return
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)])
}

function canStartAnew(): boolean {
  // Windows has the function, which throws there; a channel to the process that started this one would be lost
  return process.execve !== undefined && process.platform !== 'win32' && process.channel === undefined
}

function nameOf(flag: string): string {
  return flag.replace(/=.*/s, '')
}
