import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '../lib/run.ts'
import { type Mutation, mutated, pathOf } from './mutation.ts'

/** A copy of the tree in a temporary folder, in which sources can be spoiled. */
export class WorkingCopy implements Disposable {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Copies every file that belongs to the tree at a folder; what is installed there is only linked. */
  static async of(root: string): Promise<WorkingCopy> {
    const listed = await must('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
    const copy = new WorkingCopy(mkdtempSync(join(tmpdir(), 'mutate-')))
    const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
    for (const file of files) cpSync(join(root, file), join(copy.path, file))
    for (const installed of globSync(['node_modules', 'packages/*/node_modules'], { cwd: root })) {
      linkInstalled(join(root, installed), join(copy.path, installed))
    }
    return copy
  }

  /** Applies an edit; the returned function takes it back. */
  spoil(mutation: Mutation): () => void {
    const path = join(this.path, pathOf(mutation, mutation.file))
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(source, mutation))
    return () => writeFileSync(path, source)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Links what is installed; our own packages are links into the tree, and so into the copy of it. */
function linkInstalled(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === ownScope) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(to, name), 'junction')
  }
}

const ownScope = '@trunkline'
