-- CreateTable
CREATE TABLE "users" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "email" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "phone" TEXT,
    "isClient" BOOLEAN NOT NULL DEFAULT true,
    "isAdmin" BOOLEAN NOT NULL DEFAULT false,
    "profileImageUrl" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "users_email_lowercase" CHECK ("email" NOT GLOB '*[A-Z]*')
);

-- CreateTable
CREATE TABLE "sessions" (
    "sid" TEXT NOT NULL PRIMARY KEY,
    "sess" TEXT NOT NULL,
    "expire" DATETIME NOT NULL,
    "userId" INTEGER,
    CONSTRAINT "sessions_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "password_resets" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "userId" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "password_resets_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "drafts" (
    "userId" INTEGER NOT NULL,
    "form" TEXT NOT NULL,
    "answers" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("userId", "form"),
    CONSTRAINT "drafts_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "drafts_form_known" CHECK ("form" IN ('intake', 'booking'))
);

-- CreateTable
CREATE TABLE "intake_forms" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "fullName" TEXT NOT NULL,
    "phoneNumber" TEXT NOT NULL,
    "emailAddress" TEXT NOT NULL,
    "preferredContactMethod" TEXT NOT NULL DEFAULT 'phone',
    "address" TEXT NOT NULL,
    "childName" TEXT NOT NULL,
    "childAge" TEXT NOT NULL,
    "childBirthday" TEXT NOT NULL,
    "diagnosis" TEXT,
    "servicesCurrentlyReceiving" TEXT,
    "schoolName" TEXT,
    "gradeLevel" TEXT,
    "iepStatus" TEXT DEFAULT 'no',
    "primaryConcerns" TEXT NOT NULL DEFAULT '[]',
    "otherConcerns" TEXT,
    "additionalNotes" TEXT,
    "preferredDaysTimes" TEXT,
    "howDidYouHear" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "intake_forms_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "consultation_requests" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "firstName" TEXT NOT NULL,
    "lastName" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT,
    "serviceNeeds" TEXT NOT NULL,
    "urgency" TEXT NOT NULL,
    "message" TEXT,
    "consent" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "userId" INTEGER,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "consultation_requests_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "consultation_requests_status_known" CHECK ("status" IN ('pending', 'scheduled'))
);

-- CreateTable
CREATE TABLE "appointments" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "appointmentDate" DATETIME NOT NULL,
    "duration" INTEGER NOT NULL DEFAULT 60,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "urgency" TEXT,
    "meetingLink" TEXT,
    "notes" TEXT,
    "isLiveVideoCall" BOOLEAN NOT NULL DEFAULT false,
    "paymentMethod" TEXT,
    "paymentAmountCents" INTEGER,
    "paymentStatus" TEXT NOT NULL DEFAULT 'pending',
    "paymentId" TEXT,
    "paymentDate" DATETIME,
    "consultationRequestId" INTEGER,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "appointments_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "appointments_consultationRequestId_fkey" FOREIGN KEY ("consultationRequestId") REFERENCES "consultation_requests" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "appointments_whole_minutes" CHECK (typeof("appointmentDate") = 'integer' AND "appointmentDate" % 60000 = 0),
    CONSTRAINT "appointments_duration_range" CHECK (typeof("duration") = 'integer' AND "duration" BETWEEN 15 AND 240),
    CONSTRAINT "appointments_type_known" CHECK ("type" IN ('consultation', 'follow-up', 'emergency')),
    CONSTRAINT "appointments_status_known" CHECK ("status" IN ('scheduled', 'completed', 'cancelled', 'rescheduled', 'no-show')),
    CONSTRAINT "appointments_paymentMethod_known" CHECK ("paymentMethod" IN ('online', 'in-person')),
    CONSTRAINT "appointments_paymentStatus_known" CHECK ("paymentStatus" IN ('pending', 'paid', 'refunded', 'partly-refunded', 'failed'))
);

-- CreateTable
CREATE TABLE "documents" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "appointmentId" INTEGER,
    "fileName" TEXT NOT NULL,
    "fileType" TEXT NOT NULL,
    "fileSize" INTEGER NOT NULL,
    "filePath" TEXT NOT NULL,
    "description" TEXT,
    "isSharedWithClient" BOOLEAN NOT NULL DEFAULT true,
    "uploadedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "documents_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "documents_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "sessions_userId_idx" ON "sessions"("userId");

-- CreateIndex
CREATE INDEX "sessions_expire_idx" ON "sessions"("expire");

-- CreateIndex
CREATE INDEX "password_resets_userId_idx" ON "password_resets"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "intake_forms_userId_key" ON "intake_forms"("userId");

-- CreateIndex
CREATE INDEX "consultation_requests_status_createdAt_idx" ON "consultation_requests"("status", "createdAt");

-- CreateIndex
CREATE INDEX "consultation_requests_userId_idx" ON "consultation_requests"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "appointments_consultationRequestId_key" ON "appointments"("consultationRequestId");

-- CreateIndex
CREATE INDEX "appointments_appointmentDate_status_duration_idx" ON "appointments"("appointmentDate", "status", "duration");

-- CreateIndex
CREATE INDEX "appointments_userId_appointmentDate_idx" ON "appointments"("userId", "appointmentDate");

-- CreateIndex
CREATE INDEX "documents_userId_uploadedAt_idx" ON "documents"("userId", "uploadedAt");

-- CreateIndex
CREATE INDEX "documents_appointmentId_idx" ON "documents"("appointmentId");

-- Two appointments never hold the same time, unless cancelled; ends may touch. Dates are milliseconds since 1970.
-- The longest appointment (240 minutes) bounds the range that is read, so that the index answers.
CREATE TRIGGER "appointments_no_overlap_insert" BEFORE INSERT ON "appointments"
WHEN NEW."status" <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "appointments"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
      AND "status" <> 'cancelled'
  );
END;

CREATE TRIGGER "appointments_no_overlap_update" BEFORE UPDATE OF "appointmentDate", "duration", "status" ON "appointments"
WHEN NEW."status" <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "appointments"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
      AND "status" <> 'cancelled'
      AND "id" <> OLD."id"
  );
END;
