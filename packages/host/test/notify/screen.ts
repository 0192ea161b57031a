/** A machine with a screen: programs on its PATH that note how they were started. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../../src/config/machine.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export interface Screen extends Disposable {
  readonly machine: Machine
  /** The arguments of each start, oldest first. */
  readonly starts: readonly (readonly string[])[]
}

/** A machine on which one program shows notices; `ending` is the shell text it ends with. */
export function screen({
  platform = 'linux' as NodeJS.Platform,
  program = 'notify-send',
  ending = '',
  noted = '"$@"',
} = {}): Screen {
  const folder = temporaryFolder()
  const bin = join(folder.path, 'bin')
  const notes = join(folder.path, 'notes')
  mkdirSync(bin)
  writeFileSync(notes, '')
  // one write for each start, so that no reader sees half of one
  writeFileSync(join(bin, program), `#!/bin/sh\nprintf '%s\\036' ${noted} '\\035' >> '${notes}'\n${ending}\n`)
  chmodSync(join(bin, program), 0o755)
  const environment = { HOME: folder.path, PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' }
  return {
    machine: { platform, home: folder.path, environment },
    get starts() {
      const whole = readFileSync(notes, 'utf8').split('\\035\u001e').slice(0, -1)
      return whole.map((start) => start.split('\u001e').slice(0, -1))
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
