-- Raised whenever sessions and sign-in methods of an account are ended, so that a sign-in in progress is ended, too.
ALTER TABLE "users" ADD COLUMN "accessVersion" INTEGER NOT NULL DEFAULT 0;
