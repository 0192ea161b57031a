import type { Context } from '@trunkline/mcp'
import type { AllowedFolders } from '@trunkline/server-kit/folders'
import type { Diagnostic } from 'vscode-languageserver-types'
import type { Language } from './languages.ts'
import type { LanguageServer } from './lsp/language-server.ts'
import type { Project } from './project.ts'
import { isVisibleTo } from './setup.ts'
import { readTextFile } from './text-files.ts'

/** Severities of diagnostics, in the order of their numbers in the Language Server Protocol. */
export const severities = ['error', 'warning', 'information', 'hint'] as const

/** One of {@link severities}. */
export type Severity = (typeof severities)[number]

/** A diagnostic as results show it. */
export interface ShownDiagnostic {
  readonly path: string
  readonly line: number
  readonly severity: Severity
  readonly code?: string
  readonly message: string
}

/** Diagnostics of files, and whether more may come. */
export interface FoundDiagnostics {
  readonly items: readonly ShownDiagnostic[]
  readonly isBusy: boolean
  /** Number of files that were looked at, and of those that there are. */
  readonly looked: number
  readonly files: number
  /** Problems of language servers that did not answer. */
  readonly failures: readonly string[]
}

/** Characters of a message that are shown. */
const maxMessageChars = 300

/** Diagnostics of one file that is open in a server. */
export async function fileDiagnostics(
  project: Project,
  server: LanguageServer,
  file: { readonly path: string; readonly signal: AbortSignal },
): Promise<FoundDiagnostics> {
  const found = await server.diagnostics(file.path, { signal: file.signal, waitMs: project.limits.diagnosticsMs })
  const items = (found ?? []).map((one) => shownDiagnostic(project, file.path, one))
  return { items, isBusy: found === undefined || server.isBusy, looked: 1, files: 1, failures: [] }
}

/** Diagnostics of a project: of as many files of its languages as are open at a time, and that the caller may see. */
export async function projectDiagnostics(
  project: Project,
  ctx: Context,
  allowed: AllowedFolders,
): Promise<FoundDiagnostics> {
  const { answers, failures } = await project.askEach(ctx, (one) =>
    languageDiagnostics(project, one, { allowed, signal: ctx.signal }),
  )
  return {
    items: answers.flatMap(({ items }) => items),
    isBusy: answers.some(({ isBusy }) => isBusy),
    looked: answers.reduce((sum, { looked }) => sum + looked, 0),
    files: answers.reduce((sum, { files }) => sum + files, 0),
    failures,
  }
}

async function languageDiagnostics(
  project: Project,
  { language, server }: { readonly language: Language; readonly server: LanguageServer },
  { allowed, signal }: { readonly allowed: AllowedFolders; readonly signal: AbortSignal },
): Promise<FoundDiagnostics> {
  const { limits } = project
  const paths = (await project.files.paths(language)).filter((path) => isVisibleTo(allowed, path))
  const looked = paths.slice(0, limits.maxOpenFiles)
  for (const path of looked) {
    const file = await readTextFile(allowed, path, limits.maxFileBytes).catch(() => undefined)
    if (file) server.sync(path, file.text)
  }
  // all of them together have the time of one
  const deadline = performance.now() + limits.diagnosticsMs
  const open = looked.filter((path) => server.documents.has(path))
  const found = await Promise.all(
    open.map(async (path) => {
      const waitMs = Math.max(1, deadline - performance.now())
      return { path, diagnostics: await server.diagnostics(path, { signal, waitMs }) }
    }),
  )
  return {
    items: found.flatMap(({ path, diagnostics = [] }) => diagnostics.map((one) => shownDiagnostic(project, path, one))),
    isBusy: server.isBusy || found.some(({ diagnostics }) => diagnostics === undefined),
    looked: looked.length,
    files: paths.length,
    failures: [],
  }
}

function shownDiagnostic(
  project: Project,
  path: string,
  { range, severity, code, message }: Diagnostic,
): ShownDiagnostic {
  const text = typeof message === 'string' ? message : `${(message as { value: string }).value}`
  return {
    path: project.shown(path),
    line: range.start.line + 1,
    severity: severities[(severity ?? 1) - 1] ?? 'error',
    ...(code !== undefined && { code: `${code}` }),
    message: text.length > maxMessageChars ? `${text.slice(0, maxMessageChars)}…` : text,
  }
}

/** The diagnostics that are at least as bad as a severity, the worst first. */
export function atLeast(items: readonly ShownDiagnostic[], severity: Severity): readonly ShownDiagnostic[] {
  const rank = (one: Severity) => severities.indexOf(one)
  return items
    .filter((item) => rank(item.severity) <= rank(severity))
    .sort((one, other) => rank(one.severity) - rank(other.severity))
}

/** A diagnostic in one line. */
export function diagnosticLine({ path, line, severity, code, message }: ShownDiagnostic): string {
  return `${path}:${line}: ${severity}${code === undefined ? '' : ` ${code}`}: ${message}`
}
