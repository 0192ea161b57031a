/** A promise, and the way to settle it from elsewhere. */
export function gate<Value = void>() {
  let open!: (value: Value) => void
  const promise = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { promise, open }
}
