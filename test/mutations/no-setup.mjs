/** In place of jest's global setup and teardown: scripts/mutations.mjs keeps one Postgres for all runs. */
export default async function noSetup() {}
