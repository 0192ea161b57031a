type Given<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }

/** A copy without the members that are undefined. */
export function withoutMissing<Value extends object>(value: Value): Given<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Given<Value>
}
