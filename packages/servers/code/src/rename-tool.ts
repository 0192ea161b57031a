import type { Context } from '@trunkline/mcp'
import { reply } from '@trunkline/mcp'
import { type AllowedFolders, pathOfUri } from '@trunkline/server-kit/folders'
import { quoted, undoLine, writePlan } from '@trunkline/server-kit/preview'
import { explained, ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types'
import type { CodeOffers } from './code-offers.ts'
import { type GivenPlace, onePlace, type Place, placeArguments } from './place.ts'
import { allowedOf, type CodeSetup, isVisibleTo, lacks } from './setup.ts'
import { applyEdits, offsetsOf } from './text-edits.ts'
import { hashOf, readTextFile, type TextFile, writeWhole } from './text-files.ts'

/** A file that a rename changes. */
interface RenamedFile {
  readonly file: TextFile
  readonly edits: number
  readonly after: string
}

/** All changes of a rename, and the hash of all of it. */
interface RenamePlan {
  readonly place: Place
  readonly files: readonly RenamedFile[]
  readonly plan: string
}

const description =
  'Renames a symbol everywhere. The first call changes nothing and returns "plan"; a call with that plan does it, and is refused if a file changed since.'

/** Offers the tool that renames a symbol. */
export function offerRename(code: CodeOffers, setup: CodeSetup): void {
  const to = { type: 'string', minLength: 1, maxLength: 200 } as const
  const properties = { ...placeArguments, to, plan: { type: 'string' } } as const
  code.tool(
    'rename_symbol',
    {
      description,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      input: { type: 'object', properties, required: ['to'], additionalProperties: false },
      effects: { writes: ['./**'] },
      concurrency: 'serial',
      preview: async ({ to: name, plan, ...given }, ctx) => {
        const renamed = await planRename(setup, ctx as Context, { given, to: name })
        const changes = changesOf(renamed, name)
        const request = { rename: renamed.place.name, to: name, plan: renamed.plan }
        return writePlan({
          changes: plan === undefined ? ['nothing yet: it only plans', ...changes] : changes,
          request,
        })
      },
    },
    explained(async ({ to: name, plan, ...given }, ctx) => {
      const renamed = await planRename(setup, ctx, { given, to: name })
      if (plan === undefined) return planReply(renamed, name)
      if (plan !== renamed.plan) {
        throw new ToolProblem(
          'conflict',
          'Cannot rename: a file changed since this plan was made; nothing was changed',
          {
            next: 'Call it without "plan" and look at the new one',
          },
        )
      }
      await writeAll(await allowedOf(setup, ctx), renamed)
      const { project } = renamed.place
      await project.refresh()
      const changed = renamed.files.map(({ file }) => project.shown(file.path))
      const undo = { tool: 'rename_symbol', arguments: undoArguments(renamed, name) }
      return reply([`Renamed in ${changed.length} files`, ...changed, undoLine(undo)].join('\n'), {
        structured: { changed, undo },
      })
    }),
  )
}

async function planRename(
  setup: CodeSetup,
  ctx: Context,
  { given, to }: { readonly given: GivenPlace; readonly to: string },
): Promise<RenamePlan> {
  const place = await onePlace(setup, ctx, given)
  const { server, language, file, position, project } = place
  if (!server.capabilities.renameProvider) throw lacks(language, 'renames')
  const question = { params: { position, newName: to }, signal: ctx.signal }
  const edit = (await server.askAbout(file.path, 'textDocument/rename', question)) as WorkspaceEdit | null
  const edits = editsByPath(edit)
  if (edits.size === 0) throw new ToolProblem('refused', `Cannot rename ${quoted(place.name)}: nothing would change`)
  const { maxRenamedFiles, maxFileBytes } = project.limits
  if (edits.size > maxRenamedFiles) {
    throw new ToolProblem('refused', `Cannot rename: ${edits.size} files are more than ${maxRenamedFiles}`)
  }
  const allowed = await allowedOf(setup, ctx)
  const files: RenamedFile[] = []
  for (const [path, changes] of [...edits].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!isVisibleTo(allowed, path)) {
      throw new ToolProblem('refused', 'Cannot rename: it would change a file outside of the project')
    }
    const before = await readTextFile(allowed, path, maxFileBytes)
    checkFits(before, changes, place.name)
    files.push({ file: before, edits: changes.length, after: applyEdits(before.text, changes) })
  }
  const plan = hashOf(JSON.stringify(files.map(({ file: { path, hash }, after }) => [path, hash, hashOf(after)])))
  return { place, files, plan: plan.slice(0, 24) }
}

function editsByPath(edit: WorkspaceEdit | null): Map<string, readonly TextEdit[]> {
  const all = new Map<string, TextEdit[]>()
  const add = (uri: string, edits: readonly unknown[]): void => {
    const path = pathOfUri(uri)
    if (path === undefined) throw new ToolProblem('refused', 'Cannot rename: it would change something that is no file')
    all.set(path, [...(all.get(path) ?? []), ...(edits as TextEdit[])])
  }
  for (const change of edit?.documentChanges ?? []) {
    if ('kind' in change) throw new ToolProblem('refused', 'Cannot rename: it would make, move or delete a file')
    const { textDocument, edits } = change as TextDocumentEdit
    add(textDocument.uri, edits)
  }
  if (!edit?.documentChanges) for (const [uri, edits] of Object.entries(edit?.changes ?? {})) add(uri, edits)
  return all
}

/** Refuses edits that were made for another text of the file: what they replace must have the old name in it. */
function checkFits({ text, path }: TextFile, edits: readonly TextEdit[], name: string): void {
  const offsets = offsetsOf(text)
  for (const { range } of edits) {
    const replaced = text.slice(offsets(range.start), offsets(range.end))
    if (replaced === '' || replaced.includes(name)) continue
    throw new ToolProblem('conflict', `Cannot rename: the language server knows another text of ${quoted(path)}`, {
      next: 'Ask again in a moment; nothing was changed',
    })
  }
}

function changesOf({ place: { project }, files }: RenamePlan, to: string): readonly string[] {
  return files.map(({ file, edits }) => `${project.shown(file.path)}: ${edits} places become ${quoted(to)}`)
}

function planReply(renamed: RenamePlan, to: string) {
  const { plan, files, place } = renamed
  const structured = {
    plan,
    files: files.slice(0, 100).map(({ file, edits }) => ({ path: place.project.shown(file.path), edits })),
    ...(files.length > 100 && { more: files.length - 100 }),
  }
  const shown = changesOf(renamed, to).slice(0, 100)
  const text = [`Nothing is changed yet. Call again with "plan": "${plan}"`, ...shown]
  return reply(text.join('\n'), { structured })
}

function undoArguments({ place }: RenamePlan, to: string) {
  const { project, file, position } = place
  return { path: project.shown(file.path), line: position.line + 1, name: to, to: place.name }
}

/** Writes all files; if one cannot be written or changed meanwhile, those before it get their text back. */
async function writeAll(allowed: AllowedFolders, { files, place }: RenamePlan): Promise<void> {
  const written: RenamedFile[] = []
  try {
    for (const one of files) {
      const now = await readTextFile(allowed, one.file.path, place.project.limits.maxFileBytes)
      if (now.hash !== one.file.hash) throw new ToolProblem('conflict', 'Cannot rename: a file changed meanwhile')
      await writeWhole(one.file.path, Buffer.from(one.after), one.file.mode)
      written.push(one)
    }
  } catch (error) {
    for (const { file } of written) await writeWhole(file.path, Buffer.from(file.text), file.mode)
    if (error instanceof ToolProblem) throw error
    throw new ToolProblem('refused', 'Cannot rename: a file cannot be written; nothing was changed')
  }
}
