/** A stand-in for macOS: its `ps`, `lsof` and `sysctl`, which print as their manual pages say, for tests on other systems. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A process of the stand-in. */
export interface MacProcess {
  readonly pid: number
  readonly parent: number
  /** @default its own number */
  readonly group?: number
  /** Its terminal, such as `ttys001`. @default none */
  readonly terminal?: string
  /** @default false */
  readonly leadsSession?: boolean
  /** Time of its start in UTC, in the words of `ps`. @default Mon Nov 16 10:11:12 2026 */
  readonly start?: string
  readonly kibibytes?: number
  /** Its program. */
  readonly program: string
  readonly args?: string
  /** Its environment; the system hides that of its own programs. @default hidden */
  readonly environment?: string
  /** Files that `lsof` knows of. */
  readonly files?: { readonly cwd?: string; readonly txt?: string; readonly 0?: string }
}

export interface MacOptions {
  /** Fields that `lsof` prints of the connections with a port, with the port. */
  readonly connections?: { readonly [port: number]: string }
  /** The process that listens on a port. */
  readonly listeners?: { readonly [port: number]: number }
  /** True to list only processes that run on this machine. @default false */
  readonly onlyRunning?: boolean
}

/** Folders with the programs, to be looked for before those of this machine. */
export interface MacSystem extends Disposable {
  readonly platform: 'darwin'
  readonly folders: string
}

const ps = (folder: string, onlyRunning: boolean): string => `#!/bin/sh
case "$*" in
  *lstart=*) kind=table; [ "$TZ $LC_TIME" = "UTC C" ] || exit 2 ;;
  *comm=*) kind=name ;;
  *-E*) kind=environment ;;
  *) kind=command ;;
esac
case "$1" in -A) files=$(echo ${folder}/*.$kind) ;; *) files=${folder}/$2.$kind ;; esac
for file in $files; do
  [ -f "$file" ] || exit 1
  pid=\${file##*/}
  pid=\${pid%%.*}
  ${onlyRunning ? 'kill -0 "$pid" 2>/dev/null || continue' : ':'}
  case "$*" in *-ww*) cat "$file" ;; *) cut -c 1-79 "$file" ;; esac
done
`

const lsof = (folder: string): string => `#!/bin/sh
case "$*" in
  "-nP -a -p "*) file=${folder}/$4.$6 ;;
  *-sTCP:LISTEN*) file=${folder}/listen.\${2#-iTCP:} ;;
  *) file=${folder}/tcp.\${2#-iTCP:} ;;
esac
[ -f "$file" ] && cat "$file"
`

/** Makes the programs; they know these processes and no others. */
export function macSystem(processes: readonly MacProcess[], options: MacOptions = {}): MacSystem {
  const folder = mkdtempSync(join(tmpdir(), 'macos-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const program = (name: string, text: string) => {
    write(name, text)
    chmodSync(join(folder, name), 0o755)
  }
  program('ps', ps(folder, options.onlyRunning ?? false))
  program('lsof', lsof(folder))
  program('sysctl', '#!/bin/sh\n[ "$*" = "-n kern.bootsessionuuid" ] && echo 0B5C4CB5-32B7-4D1F-9A3B-0D0E7C5B1A11\n')
  for (const one of processes) writeProcess(one, write)
  for (const [port, fields] of Object.entries(options.connections ?? {})) write(`tcp.${port}`, fields)
  for (const [port, pid] of Object.entries(options.listeners ?? {})) write(`listen.${port}`, `p${pid}\nf12\n`)
  return {
    platform: 'darwin',
    folders: `${folder}:/usr/bin:/bin`,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

function writeProcess(one: MacProcess, write: (name: string, text: string) => void): void {
  const { pid, parent, group = pid, terminal = '??', start = 'Mon Nov 16 10:11:12 2026', kibibytes = 2_048 } = one
  const number = String(pid).padStart(5)
  const command = one.args === undefined ? one.program : `${one.program} ${one.args}`
  const state = one.leadsSession ? 'Ss' : 'S+'
  const columns = [String(parent).padStart(5), String(group).padStart(5), terminal.padEnd(8), state.padEnd(4)]
  write(`${pid}.table`, `${[number, ...columns, String(kibibytes).padStart(6), start.padEnd(28), command].join(' ')}\n`)
  write(`${pid}.name`, `${number} ${one.program}\n`)
  write(`${pid}.command`, `${number} ${command}\n`)
  write(`${pid}.environment`, `${number} ${[command, one.environment ?? ''].join(' ').trimEnd()}\n`)
  for (const [which, path] of Object.entries(one.files ?? {}))
    write(`${pid}.${which}`, `p${pid}\nf${which}\nn${path}\n`)
}
