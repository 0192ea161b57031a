/** Text of others, made fit for people: hidden characters are shown, secrets are masked. Loads nothing else of the host. */
export { masked, redact, redactText } from './text/redact.ts'
export { promptInput, type SaidInput, saidInput, wordsOf } from './text/said-input.ts'
export { type HiddenCharacter, type HiddenKind, hiddenCharacters, visibleLine, visibleText } from './text/visible.ts'
