import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Setting } from './run-git.ts'

/** Kinds of calls, by what a repository could do to them. */
export type Undertaking = 'read' | 'write' | 'merge' | 'sign' | 'network'

/** A setting that a repository brings along. */
export interface LocalSetting {
  readonly key: string
  readonly value: string
}

interface Rule {
  readonly keys: RegExp
  /** Calls that are refused while the repository has such a setting. */
  readonly refuses: readonly Undertaking[]
  readonly why: string
}

const all: readonly Undertaking[] = ['read', 'write', 'merge', 'sign', 'network']

/** Settings of a repository that start programs, read or write elsewhere, or talk to others than they say. */
const rules: readonly Rule[] = [
  { keys: /^include(?:if\..*)?\.path$/, refuses: all, why: 'reads settings from elsewhere' },
  {
    keys: /^filter\..*\.(?:clean|smudge|process)$/,
    refuses: ['write', 'merge'],
    why: 'starts a program for each file',
  },
  { keys: /^merge\..*\.driver$/, refuses: ['merge'], why: 'starts a program to merge' },
  { keys: /^gpg\.(?:.*\.)?(?:program|defaultkeycommand)$/, refuses: ['sign'], why: 'starts a program to sign' },
  { keys: /^core\.(?:sshcommand|gitproxy)$/, refuses: ['network'], why: 'starts a program to connect' },
  { keys: /^credential\./, refuses: ['network'], why: 'starts a program for passwords' },
  { keys: /^url\..*\.(?:insteadof|pushinsteadof)$/, refuses: ['network'], why: 'replaces the address of a remote' },
  { keys: /^protocol\./, refuses: ['network'], why: 'allows other ways to connect' },
  { keys: /^http\.(?!postbuffer$|version$|lowspeed)/, refuses: ['network'], why: 'changes where data are sent' },
  { keys: /^remote\..*\.(?:vcs|proxy|proxyauthmethod)$/, refuses: ['network'], why: 'changes where data are sent' },
  { keys: /^fetch\.bundleuri$/, refuses: ['network'], why: 'fetches from another address' },
]

/** Refuses a call that a setting of the repository would change; the person's own settings are no concern. */
export function refuseLocalSettings(settings: readonly LocalSetting[], undertaking: Undertaking): void {
  for (const { keys, refuses, why } of rules) {
    if (!refuses.includes(undertaking)) continue
    const found = settings.find(({ key }) => keys.test(key))
    if (found === undefined) continue
    throw new ToolProblem(
      'refused',
      `Cannot ${verbs[undertaking]}: the repository sets ${quoted(found.key)}, which ${why}`,
      {
        next: `Look at it, and take it out if you can do without: git config --local --unset-all ${quoted(found.key)}`,
      },
    )
  }
}

const verbs: { readonly [Name in Undertaking]: string } = {
  read: 'use this repository',
  write: 'change files',
  merge: 'merge',
  sign: 'make a commit',
  network: 'reach a remote',
}

// files that git would read wherever they lie, and a program that asks for passwords
const emptied = /^(?:core\.(?:excludesfile|attributesfile|askpass)|mailmap\.(?:file|blob))$/

/** Settings that take the place of those of a repository, so that reading starts nothing. */
export function neutralSettings(settings: readonly LocalSetting[]): readonly Setting[] {
  return settings.flatMap(({ key }): Setting[] => {
    if (/^filter\..*\.(?:clean|smudge|process)$/.test(key)) return [[key, '']]
    if (/^filter\..*\.required$/.test(key)) return [[key, 'false']]
    return emptied.test(key) ? [[key, '']] : []
  })
}

/** The settings in an answer of `git config --list -z`: key and value are lines of one entry. */
export function parseSettings(output: Buffer): readonly LocalSetting[] {
  const entries = output.toString().split('\0').filter(Boolean)
  return entries.map((entry) => {
    const end = entry.indexOf('\n')
    return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) }
  })
}
