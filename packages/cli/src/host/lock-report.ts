import { relative } from 'node:path'
import type { RouteAnswer } from '@trunkline/host/api'
import { junitReport } from '../expectations/junit.ts'
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { type Line, type Style, styled } from '../output/span.ts'

/** Comparison of one part of a server with its lock. */
export type LockFinding = RouteAnswer<'verifyLock'>['items'][number]

const styles: { readonly [Result in LockFinding['result']]: Style } = {
  same: 'good',
  changed: 'bad',
  new: 'warning',
  'cannot tell': 'warning',
}

/** Exit code of a lock report: a change weighs most, and a part that cannot be told more than a new one. */
export function lockExit(findings: readonly LockFinding[]): ExitCode {
  const has = (result: LockFinding['result']) => findings.some((one) => one.result === result)
  if (has('changed')) return exitCodes.lockChanged
  if (has('cannot tell')) return exitCodes.lockUnknown
  return has('new') ? exitCodes.lockNew : exitCodes.ok
}

/** Differences from the lock, for a person. */
export function verifyLines(findings: readonly LockFinding[]): readonly Line[] {
  const different = findings.filter(({ result }) => result !== 'same')
  if (different.length === 0) return [`All is as the lock says: ${findings.length} parts`]
  return different.map(
    (one): Line => [
      styled(styles[one.result], one.result),
      ' ',
      styled('name', nameOf(one)),
      ` ${one.why} `,
      styled('faint', `${one.file}:${one.line}`),
    ],
  )
}

/** The same as annotations of a build on GitHub. */
export function githubLines(findings: readonly LockFinding[]): readonly string[] {
  return findings
    .filter(({ result }) => result !== 'same')
    .map((one) => {
      const level = one.result === 'new' ? 'warning' : 'error'
      const file = relative(process.cwd(), one.file)
      return `::${level} file=${property(file)},line=${one.line},title=${property(`trunkline.lock: ${one.result}`)}::${data(`${nameOf(one)} ${one.why}`)}`
    })
}

/** The same as build servers read the outcome of tests. */
export function junitLines(findings: readonly LockFinding[]): readonly string[] {
  const outcomes = findings.map((one) => ({
    name: nameOf(one),
    ms: 0,
    ...(one.result !== 'same' && { problem: `${one.result}: ${one.why}` }),
  }))
  return [junitReport('trunkline.lock', outcomes).trimEnd()]
}

function nameOf({ server, part, name }: LockFinding): string {
  return part === 'server' || part === 'command' || part === 'program' ? `${server} (${part})` : `${server}:${name}`
}

/** Escapes a server's text, so that it cannot become another command of the build. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
