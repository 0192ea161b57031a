/**
 * Node options of a host. By default V8 lets a host that was busy once keep 300 MB of which 20 are in use: its young
 * generation grows to 128 MB, the old one to four times what is in use, and the concurrent compiler keeps its memory. So
 * it stays below 150 MB, and a call costs the same.
 */
export const hostNodeFlags: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  '--no-concurrent-recompilation',
]

/**
 * Environment variables of a host, read by the allocator of glibc only. Node reads pipes in buffers of 64 KiB: from that size
 * on, memory beyond the heap is taken from the system and given back. Otherwise a flood leaves a large heap full of holes.
 */
export const hostVariables: { readonly [name: string]: string } = { MALLOC_MMAP_THRESHOLD_: '65536' }

/**
 * Lets this program start anew with those flags and variables, as the same process: its id, terminal and output stay. Does
 * nothing where it has them, or where a process cannot do that. Flags and variables of the user stay as they are.
 */
export function runWithHostFlags(): void {
  const given = new Set(process.execArgv.map(nameOf))
  const missing = hostNodeFlags.filter((flag) => !given.has(nameOf(flag)))
  const hasVariables = Object.keys(hostVariables).every((name) => process.env[name] !== undefined)
  if ((missing.length === 0 && hasVariables) || !canStartAnew()) return
  const words = [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, { ...hostVariables, ...process.env })
}

function canStartAnew(): boolean {
  // Windows has the function, which throws there; a channel to the process that started this one would be lost
  return process.execve !== undefined && process.platform !== 'win32' && process.channel === undefined
}

function nameOf(flag: string): string {
  return flag.replace(/=.*/s, '')
}
