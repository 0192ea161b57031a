import { encodeReserved, encodeValue } from './encoding.ts'

/** An operator of RFC 6570: how it expands variables, and where their values end when a URI is matched. */
export interface Operator {
  /** Start of a present expression. */
  readonly lead: string
  readonly separator: string
  /** True if a value travels with the name of its variable. */
  readonly named: boolean
  /** Text after the name of an empty value. */
  readonly afterEmpty: string
  readonly encode: (text: string) => string
  /** Characters that the expression never reaches across. */
  readonly stops: string
}

const unnamed = { separator: ',', named: false, afterEmpty: '', encode: encodeValue, stops: '/?#' }
const query = { separator: '&', named: true, afterEmpty: '=', encode: encodeValue, stops: '#' }

/** The operators by the character that follows the brace. @see https://www.rfc-editor.org/rfc/rfc6570#appendix-A */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ['', { ...unnamed, lead: '' }],
  ['+', { ...unnamed, lead: '', encode: encodeReserved, stops: '' }],
  ['#', { ...unnamed, lead: '#', encode: encodeReserved, stops: '' }],
  ['.', { ...unnamed, lead: '.', separator: '.' }],
  ['/', { ...unnamed, lead: '/', separator: '/', stops: '?#' }],
  [';', { ...unnamed, lead: ';', separator: ';', named: true }],
  ['?', { ...query, lead: '?' }],
  ['&', { ...query, lead: '&' }],
])
