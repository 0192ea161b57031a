/** Entries of the programs in this folder, as people configure them. */
import { programFile } from '../../../../tools/lib/program-file.ts'

function entryOf(program: string, environment: object = {}): object {
  const file = programFile(new URL(`./${program}.ts`, import.meta.url))
  return {
    command: process.execPath,
    args: [file],
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...environment },
  }
}

/** A server that asks for a form and for a page. */
export function asksEntry(): object {
  return entryOf('asks')
}

/** A server that starts another program, and has instructions in several lines. */
export function treeEntry(): object {
  return entryOf('tree')
}

/** A server all of whose words are hostile. */
export function hostileEntry(): object {
  return entryOf('hostile')
}

/** A server with ten thousand tools. */
export function manyEntry(): object {
  return entryOf('many')
}

/** A server whose answers are of every kind. */
export function kindsEntry(): object {
  return entryOf('kinds')
}

/** A server whose tools have apps, with what they are made of. */
export function appsEntry(environment: { readonly VIEWS: string; readonly EVIL: string }): object {
  return entryOf('apps', environment)
}
