-- Set for the link with which a person replaces a password that is too weak for a public site: the account's version at
-- that sign-in. The link works while the account has this version, and ends nothing else that opens the account.
ALTER TABLE "password_resets" ADD COLUMN "accessVersion" INTEGER;
