import { shorten } from '../message-words.ts'
import { SchemaError } from '../schema-error.ts'
import { toNative } from './native.ts'

/** A part of a regular expression. */
export type PatternPiece =
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternPiece[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternPiece[] }
  | { readonly kind: 'repeat'; readonly part: PatternPiece; readonly min: number; readonly max: number }

/** Takes a regular expression apart, as ECMA-262 reads it with the `u` flag. */
export function parse(source: string): PatternPiece {
  toNative(source)
  const open: Group[] = []
  let group = newGroup()
  for (const { groups: token = {} } of source.matchAll(tokens)) {
    if (token.open !== undefined) {
      refuseGroup(token.open, source)
      if (open.push(group) > maxNesting) refuse(source, `groups are nested more than ${maxNesting} deep`)
      group = newGroup()
    } else if (token.close !== undefined) {
      const closed = toPiece(group)
      group = open.pop() ?? newGroup()
      group.parts.push(closed)
    } else if (token.or !== undefined) {
      group.options.push({ kind: 'sequence', parts: group.parts })
      group.parts = []
    } else group.parts.push(readTerm(token, group.parts, source))
  }
  return toPiece(group)
}

/** The part of a group read so far: finished alternatives, and the pieces of the one being read. */
interface Group {
  readonly options: PatternPiece[]
  parts: PatternPiece[]
}

const maxNesting = 64

// the engine has accepted the source by now, so this only has to tell its tokens apart
const tokens = new RegExp(
  [
    String.raw`(?<open>\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<or>\|)`,
    String.raw`(?<quantifier>(?:[*+?]|\{(?<min>\d+)(?<more>,(?<max>\d*))?\})\??)`,
    String.raw`(?<assertion>[\^$]|\\[bB])`,
    String.raw`(?<reference>\\(?:[1-9]|k<))`,
    String.raw`(?<set>\[(?:\\.|[^\]\\])*\])`,
    String.raw`(?<escape>\\(?:[upP]\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|.))`,
    '(?<plain>.)',
  ].join('|'),
  'gsu',
)

type Token = Readonly<Record<string, string | undefined>>

function readTerm(token: Token, before: PatternPiece[], source: string): PatternPiece {
  if (token.reference !== undefined) refuse(source, 'backreferences are not supported')
  if (token.assertion !== undefined) return { kind: 'assertion', source: token.assertion }
  const part = token.quantifier === undefined ? undefined : before.pop()
  if (part) return { kind: 'repeat', part, ...readBounds(token) }
  return { kind: 'character', source: token.set ?? token.escape ?? token.plain ?? '' }
}

function readBounds({ quantifier = '', min, more, max }: Token): { readonly min: number; readonly max: number } {
  if (min === undefined) return { min: quantifier[0] === '+' ? 1 : 0, max: quantifier[0] === '?' ? 1 : Infinity }
  return { min: Number(min), max: more === undefined ? Number(min) : max ? Number(max) : Infinity }
}

function newGroup(): Group {
  return { options: [], parts: [] }
}

function toPiece({ options, parts }: Group): PatternPiece {
  const last: PatternPiece = { kind: 'sequence', parts }
  return options.length === 0 ? last : { kind: 'choice', options: [...options, last] }
}

function refuseGroup(opening: string, source: string): void {
  if (/^\(\?<?[=!]/.test(opening)) refuse(source, `lookaround "${opening}" is not supported`)
  if (/^\(\?[a-z-]+:/.test(opening)) refuse(source, `modifiers "${opening}" are not supported`)
}

function refuse(source: string, reason: string): never {
  throw new SchemaError(`Cannot use the pattern ${shorten(source)}: ${reason}`)
}
