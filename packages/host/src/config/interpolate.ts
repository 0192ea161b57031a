/** Something that an entry refers to and that is not there. */
export interface Missing {
  readonly kind: 'variable' | 'input' | 'secret' | 'workspace' | 'reference'
  readonly name: string
}

/** Sources of the values of references. */
export interface ReferenceLookup {
  variable(name: string): string | undefined
  /** A value that a person was asked for and gave. */
  input(id: string): string | undefined
  secret(name: string): string | undefined
  /** The directory of the project. */
  readonly workspace: string | undefined
  readonly home: string
}

/** A text with its references replaced, and those that could not be. */
export interface Interpolated {
  readonly text: string
  readonly missing: readonly Missing[]
}

// a reference holds none, so that a text of many openings is read once
const reference = /\$\$\{|\$\{((?:[^}$]|\$(?!\{))*)\}/g

/**
 * Replaces `${NAME}`, `${NAME:-else}`, `${env:NAME}`, `${input:id}`, `${secret:NAME}`, `${workspaceFolder}` and their kin;
 * `$${` stands for `${`, and `${:-text}` for the text. Inserted values are not interpolated again. A text that is
 * `secret:NAME` as a whole is that secret.
 */
export function interpolate(text: string, lookup: ReferenceLookup): Interpolated {
  const missing: Missing[] = []
  const whole = /^secret:([A-Za-z0-9_.-]+)$/.exec(text)
  const replaced = (whole?.[1] === undefined ? text : `\${secret:${whole[1]}}`).replaceAll(
    reference,
    (found, inside) => {
      if (inside === undefined) return '${'
      const { value, lacking } = resolve(inside, lookup)
      if (value !== undefined) return value
      if (lacking !== undefined) missing.push(lacking)
      return found
    },
  )
  return { text: replaced, missing }
}

/** Describes a missing value to a person. */
export function describeMissing({ kind, name }: Missing): string {
  if (kind === 'variable') return `${name} is not set`
  if (kind === 'input') return `the input "${name}" was not given; keep it: trunkline secret set input.${name}`
  if (kind === 'secret') return `there is no secret "${name}"; keep one: trunkline secret set ${name}`
  if (kind === 'workspace') return `\${${name}} needs a project, and the caller has none`
  return `\${${name}} is not known`
}

interface Resolved {
  readonly value: string | undefined
  readonly lacking?: Missing
}

function resolve(inside: string, lookup: ReferenceLookup): Resolved {
  const [, kind = '', rest = ''] = /^(env|input|secret):(.*)$/s.exec(inside) ?? []
  const [name = '', ...others] = (kind === '' ? inside : rest).split(':-')
  const otherwise = others.length === 0 ? undefined : others.join(':-')
  if (inside.startsWith(':-')) return { value: inside.slice(2) }
  if (kind === 'input') return orMissing(lookup.input(name) ?? otherwise, { kind: 'input', name })
  if (kind === 'secret') return orMissing(lookup.secret(name) ?? otherwise, { kind: 'secret', name })
  if (kind === '' && Object.hasOwn(folders, name)) return folder(name, lookup)
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { value: undefined, lacking: { kind: 'reference', name: inside } }
  // an empty variable counts as none where there is something else to take, as in a shell
  const value = lookup.variable(name)
  return orMissing(value === '' && otherwise !== undefined ? otherwise : (value ?? otherwise), {
    kind: 'variable',
    name,
  })
}

const folders: { readonly [name: string]: (lookup: ReferenceLookup) => string | undefined } = {
  workspaceFolder: ({ workspace }) => workspace,
  workspaceFolderBasename: ({ workspace }) => workspace?.split(/[\\/]/).findLast((part) => part !== ''),
  cwd: ({ workspace }) => workspace,
  userHome: ({ home }) => home,
  pathSeparator: ({ home }) => (home.includes('\\') ? '\\' : '/'),
  '/': ({ home }) => (home.includes('\\') ? '\\' : '/'),
}

function folder(name: string, lookup: ReferenceLookup): Resolved {
  return orMissing(folders[name]?.(lookup), { kind: 'workspace', name })
}

function orMissing(value: string | undefined, lacking: Missing): Resolved {
  return value === undefined ? { value, lacking } : { value }
}
