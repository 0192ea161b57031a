import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { markFamily, markVariable } from './marked-processes.ts'

/** Lists the processes that carry a mark which starts with "$1"; the digit keeps it from finding itself. */
const listing: { readonly [platform: string]: string } = {
  linux: 'grep -lasz "^$1" /proc/[0-9]*/environ | cut -d / -f 3',
  darwin: 'ps -A -E -ww -o pid= -o command= | grep " $1[0-9]" | sed "s/^ *//; s/ .*//"',
}

// its input ends when this process dies, also when it is killed; then it kills the watched groups, and what left them
// and still carries a mark of this process
/** The script of a supervisor for `/bin/sh`. */
export const scriptFor = (platform: string): string => `
trap '' HUP INT TERM
groups=
while read -r change group; do
  rest=
  for other in $groups; do [ "$other" = "$group" ] || rest="$rest $other"; done
  [ "$change" = watch ] && groups="$rest $group" || groups=$rest
done
[ -n "$groups" ] || exit 0
for signal in TERM KILL; do
  sleep 1
  for group in $groups; do kill -s $signal -- "-$group"; done
  for marked in $(${listing[platform] ?? ':'}); do kill -s $signal "$marked"; done
done 2>/dev/null
`

/** Kills the process groups of children when this process was killed itself. */
class Supervisor {
  readonly #groups = new Set<number>()
  #process: ChildProcess | undefined

  watch(group: number): void {
    // there Node ends its children with itself, and they theirs if they are Node too
    if (process.platform === 'win32') return
    this.#groups.add(group)
    if (this.#process) this.#process.stdin?.write(`watch ${group}\n`)
    else this.#start()
  }

  forget(group: number): void {
    if (!this.#groups.delete(group)) return
    this.#process?.stdin?.write(`forget ${group}\n`)
    if (this.#groups.size > 0) return
    this.#process?.stdin?.end()
    this.#process = undefined
  }

  // without a shell, children have to notice the end of their input
  #start(): void {
    const started = spawn('/bin/sh', ['-c', scriptFor(process.platform), 'sh', `${markVariable}=${markFamily}-`], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    started.once('error', () => this.#lost(started))
    started.once('exit', (_code, signal) => this.#lost(started, signal))
    started.stdin.on('error', () => {})
    started.unref()
    ;(started.stdin as Socket).unref()
    this.#process = started
    for (const group of this.#groups) started.stdin.write(`watch ${group}\n`)
  }

  // a killed supervisor is replaced; one that cannot run is tried again when it is next needed
  #lost(lost: ChildProcess, signal?: NodeJS.Signals | null): void {
    if (this.#process !== lost) return
    this.#process = undefined
    if (signal && this.#groups.size > 0) this.#start()
  }
}

/** The supervisor of all children of this process. */
export const supervisor = new Supervisor()

/** Kills the process group of a child when this process was killed itself; call what it returns when the child has ended. */
export function superviseGroup(leader: number): () => void {
  supervisor.watch(leader)
  return () => supervisor.forget(leader)
}
