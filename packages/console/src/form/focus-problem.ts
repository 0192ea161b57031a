/** Gives the focus to the first field of a form with a problem, once the problems are shown. */
export function focusProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
