/** Requirements of servers on the machine they run on: read from their packages, and looked up. */
export { declaredRequirements, isNode, manifestOf, scriptOf, sound } from './servers/requirements/declared.ts'
export { type MissingNeed, missingNeed, unknownHost } from './servers/requirements/missing-need.ts'
export { declaredUpdates, soundUpdates, updatesInWords, updatesOff } from './servers/requirements/updates.ts'
export { fulfils, lowestMajor } from './servers/requirements/version-range.ts'
