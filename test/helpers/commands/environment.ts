// The environment of commands that tests run: no settings of the machine, and what speeds up the start.

/** Node.js keeps compiled modules where the runner of the tests says. */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}
