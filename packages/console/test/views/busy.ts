/** An app that takes all the time there is. */
for (;;) Math.random()

export {}
