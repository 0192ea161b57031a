import { execFile } from 'node:child_process'

/** A system whose processes are looked at; tests give another one. */
export interface System {
  readonly platform: string
  /** Folders of its own programs, separated by colons; the search path of a person may have others of the same name. */
  readonly folders: string
}

/** The system that this process runs on. */
export const thisSystem: System = {
  platform: process.platform,
  folders:
    process.platform === 'win32'
      ? `${process.env.SYSTEMROOT ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0`
      : '/usr/bin:/bin:/usr/sbin:/sbin',
}

const programMs = 5_000
const maxPrintedBytes = 64 * 1_024 * 1_024

/**
 * Text that a program of the system prints; '' if there is no such program, or if it does not end in time. An exit code
 * says little: `lsof` ends with 1 when one of two things that it was asked for is missing. Times are in UTC, in English.
 */
export function printedBy(
  { folders }: System,
  program: string,
  args: readonly string[],
  timeoutMs: number = programMs,
): Promise<string> {
  const env = { PATH: folders, LC_CTYPE: 'en_US.UTF-8', LC_TIME: 'C', TZ: 'UTC' }
  const options = { env, timeout: timeoutMs, maxBuffer: maxPrintedBytes, windowsHide: true } as const
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error?.killed ? '' : stdout))
  })
}
