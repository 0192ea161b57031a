import { normalise } from './encoding.ts'
import { literalPiece } from './literal-piece.ts'
import { pairsPiece } from './pairs-piece.ts'
import { isExpression, type Literal, type Part } from './parse.ts'
import { readVariables, type TemplateValues } from './read-variables.ts'
import { cut, subjectOf, type TemplatePiece } from './split-uri.ts'
import { valuePiece } from './value-piece.ts'

/** Compiles the parts of a template into the reverse of their expansion. */
export function matcher(parts: readonly Part[], maxUriLength: number): (uri: string) => TemplateValues | undefined {
  const [first] = parts
  const head = first === undefined || isExpression(first) ? '' : normalText(first)
  const rest = head === '' ? parts : parts.slice(1)
  const pieces = rest.map(pieceOf)
  const expressions = rest.filter(isExpression)

  return (uri) => {
    // a normalised URI is never shorter, so the long ones need not be normalised
    if (uri.length > maxUriLength) return undefined
    const normal = normalise(uri)
    if (normal === undefined || normal.length > maxUriLength || !normal.startsWith(head)) return undefined
    const texts = cut(pieces, subjectOf(normal.slice(head.length)))
    if (texts === undefined) return undefined
    const ofExpressions = texts.filter((_, index) => isExpression(rest[index] as Part))
    return readVariables(expressions, ofExpressions)
  }
}

/** The piece of a URI that a part of a template stands for. */
export function pieceOf(part: Part): TemplatePiece {
  if (!isExpression(part)) return literalPiece(normalText(part))
  return part.operator.named ? pairsPiece(part) : valuePiece(part)
}

function normalText({ text }: Literal): string {
  // the parser leaves no lone surrogate, which is all that could fail
  return normalise(text) as string
}
