/** Text of others, made fit for people: hidden characters are shown, secrets are masked. Loads nothing else of the host. */
export { masked, redact, redactText } from '@trunkline/base/redact'
export {
  type HiddenCharacter,
  type HiddenKind,
  hiddenCharacters,
  visibleLine,
  visibleText,
} from '@trunkline/base/visible'
export { promptInput, type SaidInput, saidInput, wordsOf } from './text/said-input.ts'
