import { matchesGlob } from '@trunkline/base/glob'
import { type AddressPattern, addressPattern, isAddress, mayBeAt, surelyAt } from './address-pattern.ts'
import { mayBeInside, type PathFolders, type PathPattern, pathPattern, surelyInside } from './path-pattern.ts'
import { decodingsOf, pathOfFile } from './paths.ts'
import {
  mayBeInsideWindows,
  surelyInsideWindows,
  type WindowsPathPattern,
  windowsPathPattern,
} from './windows-path-pattern.ts'
import { isWindowsPath } from './windows-paths.ts'

/** A pattern of texts that are neither paths nor addresses. */
export interface TextPattern {
  readonly kind: 'text'
  readonly glob: string
}

/** A pattern of values, by their kind. */
export type ValuePattern = TextPattern | PathPattern | WindowsPathPattern | AddressPattern

/** Reads a pattern: with a scheme it is one of addresses, with a slash or a drive one of paths, else one of texts. */
export function valuePattern(text: string, platform: string = process.platform): ValuePattern {
  const path = pathOfFile(text)
  if (isWindowsPath(path.replace(/^\/(?=[a-z]:)/i, ''))) return windowsPathPattern(path)
  if (isAddress(text)) return addressPattern(text)
  const isOnWindows = platform === 'win32'
  // `**` alone stands for everything, and a scheme without a host makes a text
  const hasSlash = path.includes('/') || (isOnWindows && path.includes('\\'))
  if (!hasSlash || /^[a-z][a-z0-9+.-]*:/i.test(path)) return { kind: 'text', glob: text }
  return isOnWindows ? windowsPathPattern(path) : pathPattern(path)
}

/** True if a value surely fits: it has one reading, and that is as the pattern says. */
export function surelyFits(pattern: ValuePattern, value: string, folders: PathFolders): boolean {
  if (pattern.kind === 'address') return surelyAt(pattern, value)
  if (pattern.kind === 'path') return surelyInside(pattern, value, folders)
  if (pattern.kind === 'windows-path') return surelyInsideWindows(pattern, value, folders)
  // an address is allowed by a pattern of addresses alone, unless it stands for everything
  return matchesGlob(pattern.glob, value) && (!isAddress(value.trim()) || pattern.glob === '**')
}

/** True if a value may fit under any reading of it. */
export function mayFit(pattern: ValuePattern, value: string, folders: PathFolders): boolean {
  if (pattern.kind === 'address') return mayBeAt(pattern, value)
  if (pattern.kind === 'path') return mayBeInside(pattern, value, folders)
  if (pattern.kind === 'windows-path') return mayBeInsideWindows(pattern, value, folders)
  const glob = pattern.glob.toLowerCase()
  return decodingsOf(value).some(
    (text) =>
      matchesGlob(glob, text.toLowerCase()) ||
      (isAddress(text) && URL.canParse(text) && matchesGlob(glob, new URL(text).href.toLowerCase())),
  )
}
