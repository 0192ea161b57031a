import { printedBy, type System, thisSystem } from './system-programs.ts'

/** A process as Windows tells of it. */
export interface WindowsProcess {
  readonly pid: number
  /** Number of the process that started it; that one may have ended, and its number may be another's by now. */
  readonly parent: number
  /** Parts of 100 ns since 1601: together with its number no other process has it. */
  readonly startedAt: bigint
  /** File of its program; command lines could hold line breaks, and so the lines of other processes. */
  readonly program: string
}

const script =
  "Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToFileTimeUtc(), $_.Name }"
// a cold start of PowerShell takes seconds
const timeoutMs = 10_000

/** Every process of Windows; none where PowerShell is missing or does not answer. */
export async function windowsProcesses(system: System = thisSystem): Promise<readonly WindowsProcess[]> {
  const args = ['-NoProfile', '-NonInteractive', '-Command', script]
  const text = await printedBy(system, 'powershell.exe', args, timeoutMs)
  return [...text.matchAll(/^(\d+) (\d+) (\d+) (.*?)\r?$/gm)].map(([, pid, parent, startedAt = '', program = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    startedAt: BigInt(startedAt),
    program,
  }))
}

/** Some processes with all that descend from them; one that is older than its parent only has the number of a child. */
export function withDescendants(
  some: readonly WindowsProcess[],
  all: readonly WindowsProcess[],
): readonly WindowsProcess[] {
  const found = new Set(some)
  // a set goes on to what is added to it meanwhile
  for (const { pid, startedAt } of found)
    for (const one of all) if (one.parent === pid && one.startedAt >= startedAt) found.add(one)
  return [...found]
}
