import type { Context } from '@trunkline/mcp'
import { type AllowedFolders, allowedFor, insidePath, liesIn } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { CodeLimits } from './code-limits.ts'
import type { Language } from './languages.ts'
import type { LanguageServer } from './lsp/language-server.ts'
import type { Project } from './project.ts'
import type { TestRuns } from './tests/test-runs.ts'
import { readTextFile, type TextFile } from './text-files.ts'

/** Context shared by the parts of the server. */
export interface CodeSetup {
  readonly projects: readonly Project[]
  readonly limits: CodeLimits
  readonly tests: TestRuns
}

/** A file that is open in its language server. */
export interface OpenedFile {
  readonly project: Project
  readonly language: Language
  readonly server: LanguageServer
  readonly file: TextFile
}

const asked = new WeakMap<Context, Promise<AllowedFolders>>()

/** Directories that one caller may use; its roots are asked for once in a call. */
export function allowedOf({ projects }: CodeSetup, ctx: Context): Promise<AllowedFolders> {
  const folders = projects.map(({ root }) => root)
  const allowed = asked.get(ctx) ?? allowedFor(folders, ctx)
  asked.set(ctx, allowed)
  return allowed
}

/** True for a file that the caller may see and that is no installed package. */
export function isVisibleTo({ folders }: AllowedFolders, path: string): boolean {
  return folders.some((folder) => liesIn(folder, path) && !/[\\/]node_modules[\\/]/.test(path.slice(folder.length)))
}

/** The project that a path lies in, or that of the caller's folder. */
export async function projectAt(setup: CodeSetup, ctx: Context, given?: string): Promise<Project> {
  const allowed = await allowedOf(setup, ctx)
  const path = given === undefined ? allowed.base : await insidePath(allowed, given)
  return projectOf(setup, path)
}

/** The project that a real path lies in. */
export function projectOf({ projects }: CodeSetup, path: string): Project {
  const found = projects.filter(({ root }) => liesIn(root, path)).sort((a, b) => b.root.length - a.root.length)[0]
  if (found === undefined) throw new ToolProblem('refused', 'Cannot find a project: the path lies in none')
  return found
}

/** Reads a file that the caller names, and opens it in its language server. */
export async function openFile(setup: CodeSetup, ctx: Context, given: string): Promise<OpenedFile> {
  const allowed = await allowedOf(setup, ctx)
  const file = await readTextFile(allowed, given, setup.limits.maxFileBytes)
  const project = projectOf(setup, file.path)
  const language = project.languageOf(file.path)
  const server = await project.server(language, ctx)
  server.sync(file.path, file.text)
  return { project, language, server, file }
}

/** Says that a language server cannot do something. */
export function lacks({ name }: Language, what: string): ToolProblem {
  return new ToolProblem('unavailable', `Cannot do this: the language server of ${name} offers no ${what}`)
}
